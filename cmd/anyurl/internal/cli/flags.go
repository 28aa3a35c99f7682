package cli

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

// A number is a whole number on the command line, within bounds.
type number struct {
	to          *int
	least, most int
}

func (n number) String() string { return strconv.Itoa(*n.to) }
func (n number) Type() string   { return "NUMBER" }
func (n number) Set(s string) error {
	v, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return fmt.Errorf("\"%s\" is no whole number", s)
	case v < n.least:
		return fmt.Errorf("it is at least %d", n.least)
	case v > n.most:
		return fmt.Errorf("it is at most %d", n.most)
	}
	*n.to = v
	return nil
}

// numberFlag gives a command a flag for a number from least to most.
func numberFlag(cmd *cobra.Command, to *int, name string, otherwise, least, most int, says string) {
	*to = otherwise
	cmd.Flags().Var(number{to, least, most}, name, says)
}

// A duration is a length of time on the command line; none is negative.
type duration struct{ to *time.Duration }

func (d duration) String() string {
	if *d.to == 0 {
		return "" // and so the help names no default
	}
	return d.to.String()
}
func (d duration) Type() string { return "DURATION" }
func (d duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if n, numErr := strconv.ParseUint(s, 10, 31); numErr == nil {
		v, err = time.Duration(n)*time.Second, nil // as curl's and wget's
	}
	switch {
	case err != nil:
		return fmt.Errorf("\"%s\" is no duration: it is written as in 500ms, 30s or 2m", s)
	case v < 0:
		return fmt.Errorf("\"%s\" lies in the past", s)
	}
	*d.to = v
	return nil
}

// durationFlag gives a command a flag for a duration.
func durationFlag(cmd *cobra.Command, to *time.Duration, name string, otherwise time.Duration, says string) {
	*to = otherwise
	cmd.Flags().Var(duration{to}, name, says)
}

func timeoutFlag(cmd *cobra.Command, timeout *time.Duration, otherwise time.Duration, says string) {
	durationFlag(cmd, timeout, "timeout", otherwise, says+", as `DURATION`: 500ms, 30s, 2m; a number alone is seconds")
}

// anyNumber is no upper bound.
const anyNumber = math.MaxInt32
