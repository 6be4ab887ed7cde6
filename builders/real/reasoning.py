"""How ``gt`` reasoning is put where nobody simulated: measurements are what is known."""

MEASURED = (
    "{motion} {Measured}. {Result}, and this makes the answer {answer}.",
    "{motion} As measured, {measured}. Hence {result}, and the answer is {answer}.",
    "{motion} Measured in both pictures, {measured}. This means that {result}, which makes the answer {answer}.",
    "Measurements tell what the move leads to. {motion} {Measured}. So {result}, and the answer is {answer}.",
    "{motion} In figures, {measured}; that is why {result}. The answer is therefore {answer}.",
    "{motion} {Result}. The measured geometry confirms it: {measured}. So the answer is {answer}.",
)
"""Phrasings; holes as in :mod:`flowbench.builders.sim.reasoning`."""
