"""Writes wgmma_instructions.h: the asm of wgmma for each N, whose operands C++ cannot make from a template.

python3 wgmma_instructions.py 64 128 256 > wgmma_instructions.h
"""

import sys

HEAD = """\
// Written by wgmma_instructions.py: one instruction for each N. For wgmma.h.
#pragma once

namespace gb::cuda {

template <class T, int N>
struct WgmmaInstruction;
"""


def function(template, arguments, dtype, n, k, operands, inputs):
    """One member function. operands: the instruction's text after d; inputs: (constraint, expression) after d."""
    registers = n // 2
    d = ", ".join(f"%{i}" for i in range(registers))
    outputs = ", ".join(f'"+f"(d[{i}])' for i in range(registers))
    number = {name: f"%{registers + i}" for i, name in enumerate(inputs)}
    constraints = ", ".join(f'"{constraint}"({value})' for constraint, value in inputs.values())
    lines = [
        f"  {template}" if template else "",
        f"  __device__ static void {arguments} {{",
        '    asm volatile(',
        '        "{\\n"',
        '        ".reg .pred p;\\n"',
        f'        "setp.ne.b32 p, {number["accumulate"]}, 0;\\n"',
        f'        "wgmma.mma_async.sync.aligned.m64n{n}k{k}.f32.{dtype}.{dtype} {{{d}}}, "',
        f'        "{operands.format(**number)};\\n"',
        '        "}"',
        f"        : {outputs}",
        f"        : {constraints});",
        "  }",
    ]
    return "\n".join(line for line in lines if line)


def instruction(name, dtype, n, k):
    d = f"float (&d)[{n // 2}]"
    b = {"b": ("l", "b"), "accumulate": ("r", "static_cast<int>(accumulate)")}
    in_shared = {"a": ("l", "a"), **b}
    in_registers = {**{f"a{i}": ("r", f"a[{i}]") for i in range(4)}, **b}
    trans = {"trans_a": ("n", "kTransA"), "trans_b": ("n", "kTransB")} if k == 16 else {}
    trans_b = {"trans_b": ("n", "kTransB")} if k == 16 else {}
    shared = function(
        "template <int kTransA, int kTransB>", f"shared({d}, uint64_t a, uint64_t b, bool accumulate)", dtype, n, k,
        "{a}, {b}, p, 1, 1" + (", {trans_a}, {trans_b}" if trans else ""), {**in_shared, **trans})
    registers = function(
        "template <int kTransB>", f"registers({d}, const uint32_t (&a)[4], uint64_t b, bool accumulate)", dtype, n, k,
        "{{{a0}, {a1}, {a2}, {a3}}}, {b}, p, 1, 1" + (", {trans_b}" if trans else ""), {**in_registers, **trans_b})
    only_k = '    static_assert(kTransB == 0, "TF32 tiles are contiguous along k");\n' if k == 8 else ""
    if only_k:
        shared = shared.replace(") {\n", ") {\n" + only_k.replace("kTransB == 0", "kTransA == 0 && kTransB == 0"), 1)
        registers = registers.replace(") {\n", ") {\n" + only_k, 1)
    return f"template <>\nstruct WgmmaInstruction<{name}, {n}> {{\n{shared}\n{registers}\n}};\n"


def main(sizes):
    print(HEAD)
    for name, dtype, k in (("Half", "f16", 16), ("BFloat16", "bf16", 16), ("Tf32", "tf32", 8)):
        for n in sizes:
            print(instruction(name, dtype, n, k))
    print("}  // namespace gb::cuda")


main([int(argument) for argument in sys.argv[1:]])
