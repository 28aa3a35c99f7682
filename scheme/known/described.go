package known

import "anyurl/scheme"

// described gives the facts about schemes that no room reads but that people
// meet, so that what is said of them is more than the registry's line.
func described() []scheme.Scheme {
	return nil
}
