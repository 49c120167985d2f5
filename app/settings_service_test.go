package app

import (
	"testing"

	"lathe/internal/apperr"
)

func TestCodeExecutionIsChangedWithinBounds(t *testing.T) {
	a := newApp(t, noBundled)
	service := &SettingsService{a}
	view, err := service.SetCodeExecution(CodeExecutionChange{Enabled: false, TimeoutSeconds: 5})
	if err != nil || view.CodeExecution.Enabled || view.CodeExecution.TimeoutSeconds != 5 {
		t.Fatalf("%+v, %v", view.CodeExecution, err)
	}
	for _, seconds := range []int{-1, 0, 86401} {
		_, err := service.SetCodeExecution(CodeExecutionChange{Enabled: true, TimeoutSeconds: seconds})
		if !apperr.Is(err, apperr.SettingsInvalid) {
			t.Errorf("%d seconds: %v", seconds, err)
		}
	}
	if now := a.config.document().CodeExecution; now.Enabled || now.TimeoutSeconds != 5 {
		t.Errorf("a refused change was kept: %+v", now)
	}
}

func TestCodeExecutionStaysAsTheAdministratorWants(t *testing.T) {
	a := newApp(t, `{"models": {"bundled": false}, "codeExecution": {"timeoutSeconds": 10}}`)
	service := &SettingsService{a}
	_, err := service.SetCodeExecution(CodeExecutionChange{Enabled: true, TimeoutSeconds: 11})
	if !apperr.Is(err, apperr.SettingsLocked) {
		t.Errorf("%v", err)
	}
	view, err := service.SetCodeExecution(CodeExecutionChange{Enabled: false, TimeoutSeconds: 10})
	if err != nil || view.CodeExecution.Enabled {
		t.Errorf("what is not locked: %+v, %v", view.CodeExecution, err)
	}
	if own := a.config.person.CodeExecution; own.TimeoutSeconds != 60 {
		t.Errorf("the administrator's limit became the person's: %+v", own)
	}
}

// What a refused file wanted to forbid is unknown, so nobody turns code on.
func TestRefusedManagedFileCanNotBeSteppedAround(t *testing.T) {
	a := newApp(t, `{"nonsense": 1}`)
	_, err := (&SettingsService{a}).SetCodeExecution(CodeExecutionChange{Enabled: true, TimeoutSeconds: 60})
	if !apperr.Is(err, apperr.ManagedInvalid) {
		t.Errorf("%v", err)
	}
}
