package telnet

import "testing"

// TestState holds the table of RFC 1143, section 7, row by row.
func TestState(t *testing.T) {
	agreeing, refusing := func(s *state) reaction { return s.offered(true) }, func(s *state) reaction { return s.offered(false) }
	for _, tt := range []struct {
		name   string
		do     func(*state) reaction
		before state
		after  state
		says   reaction
	}{
		// "Upon receipt of WILL, we choose based upon him and himq"
		{"WILL, wanted", agreeing, no, yes, assent},
		{"WILL, unwanted", refusing, no, no, dissent},
		{"WILL", agreeing, yes, yes, silent},
		{"WILL", refusing, yes, yes, silent},
		{"WILL: DONT answered by WILL", agreeing, wantNo, no, silent},
		{"WILL: DONT answered by WILL", agreeing, wantNoOpposite, yes, silent},
		{"WILL", agreeing, wantYes, yes, silent},
		{"WILL", agreeing, wantYesOpposite, wantNo, dissent},
		// "Upon receipt of WONT"
		{"WONT", (*state).refused, no, no, silent},
		{"WONT", (*state).refused, yes, no, dissent},
		{"WONT", (*state).refused, wantNo, no, silent},
		{"WONT", (*state).refused, wantNoOpposite, wantYes, assent},
		{"WONT", (*state).refused, wantYes, no, silent},
		{"WONT", (*state).refused, wantYesOpposite, no, silent},
		// "If we decide to ask him to enable"
		{"enable", (*state).enable, no, wantYes, assent},
		{"enable", (*state).enable, yes, yes, silent},
		{"enable", (*state).enable, wantNo, wantNoOpposite, silent},
		{"enable", (*state).enable, wantNoOpposite, wantNoOpposite, silent},
		{"enable", (*state).enable, wantYes, wantYes, silent},
		{"enable", (*state).enable, wantYesOpposite, wantYes, silent},
		// "If we decide to ask him to disable"
		{"disable", (*state).disable, no, no, silent},
		{"disable", (*state).disable, yes, wantNo, dissent},
		{"disable", (*state).disable, wantNo, wantNo, silent},
		{"disable", (*state).disable, wantNoOpposite, wantNo, silent},
		{"disable", (*state).disable, wantYes, wantYesOpposite, silent},
		{"disable", (*state).disable, wantYesOpposite, wantYesOpposite, silent},
	} {
		s := tt.before
		if says := tt.do(&s); s != tt.after || says != tt.says {
			t.Errorf("%s in %d: to %d, says %d; want %d, %d", tt.name, tt.before, s, says, tt.after, tt.says)
		}
	}
}
