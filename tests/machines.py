"""Runs a hypothesis state machine on a template of a corpus file."""

from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test


def run_machine(
    machine: type[RuleBasedStateMachine], template: Path, max_examples: int, n_steps: int
) -> None:
    run_state_machine_as_test(
        type("Machine", (machine,), {"template": template}),
        settings=settings(
            max_examples=max_examples,
            stateful_step_count=n_steps,
            deadline=None,
            phases=[phase for phase in Phase if phase is not Phase.explain],
            suppress_health_check=list(HealthCheck),
        ),
    )
