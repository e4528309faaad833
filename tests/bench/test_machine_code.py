"""Instructions are counted by what they do."""

from klingel.bench.machine_code import counts

ASSEMBLY = """
\t.text
kernel:
\tmovq\t%rdi, 24(%rsp)
\tvmovupd\t32(%rsp), %ymm0
\tvgatherqpd\t(%r15,%ymm0,8), %ymm1 {%k1}
\tvaddpd\t%zmm1, %zmm2, %zmm3
\tretq
"""


def test_every_line_is_counted_once_for_what_it_is():
    found = counts(ASSEMBLY)
    assert found["instructions"] == 5
    assert (found["to the stack"], found["from the stack"]) == (1, 1)
    assert (found["of eight"], found["of four"], found["gathers"]) == (1, 2, 1)
