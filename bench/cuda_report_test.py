"""cuda_report.py on measurements made up by hand: which goals are missed, and what stands for a rung that takes no such rows."""

import pathlib
import tempfile
import unittest

import cuda_report
import linear_report
import lm_head_report
import roofline


def row(op, dtype, cols, ours, eager, compiled=None):
    rates = {"ours": ours, "copy": 1000, "eager": eager} | ({"compile": compiled} if compiled else {})
    return {"op": op, "dtype": dtype, "rows": 8, "cols": cols, "rung": "05_vector_loads", "gb_per_s": rates}


# One row for each goal of share; backward in bfloat16 is below both of its goals, forward on long rows below torch.compile.
ROWS = [row("softmax", "float32", 64, 990, 500), row("softmax", "float32", 2048, 980, 500), row("softmax", "float32", 50257, 930, 500),
        row("softmax", "bfloat16", 1024, 975, 500, 700), row("softmax", "bfloat16", 4096, 960, 500, 600),
        row("softmax_backward", "float32", 1024, 1040, 400), row("softmax_backward", "bfloat16", 2048, 920, 600)]


class CudaReportTest(unittest.TestCase):
    def test_the_least_figure_decides_a_goal(self):
        goals = [line.strip("| ").split(" | ")[1:] for line in cuda_report.summary(ROWS)[2:]]
        self.assertEqual(goals, [
            ["0.975", "bfloat16, 1024 columns", "met"],
            ["0.960", "bfloat16, 4096 columns", "met"],
            ["0.930", "float32, 50257 columns", "met"],
            ["0.920", "bfloat16, 2048 columns", "**missed**"],
            ["1.533", "bfloat16, 2048 columns", "**missed**"],
            ["1.393", "bfloat16, 1024 columns", "met"],
            ["1.600", "bfloat16, 4096 columns", "**missed**"]])

    def test_means_are_geometric_and_name_each_peer(self):
        rows = [row("softmax", "float32", 64, 1000, 500), row("softmax", "float32", 128, 250, 500)]
        rows += [row(op, dtype, 64, 1000, 500) for op, dtype in
                 [("softmax", "bfloat16"), ("softmax_backward", "float32"), ("softmax_backward", "bfloat16")]]
        self.assertEqual(cuda_report.means(rows)[0],
                         "* forward float32, geometric mean of 2 shapes: 0.500 of copy, 1.00 times eager.")

    def test_a_rung_that_does_not_take_such_rows(self):
        ladder = [{"op": "softmax", "rung": "01_naive", "cols": 64, "gb_per_s": 50},
                  {"op": "softmax", "rung": "01_naive", "cols": 600, "gb_per_s": 25},
                  {"op": "softmax", "rung": "06_online", "cols": 600, "gb_per_s": 990}]
        self.assertEqual(cuda_report.ladder_table({"softmax": ROWS, "ladder": ladder}, "softmax"), [
            "| forward, float32 | 64 columns | 600 columns |", "|---|---|---|",
            "| 01_naive | 0.050 | 0.025 |", "| 06_online | - | 0.990 |"])

    def test_linear_is_held_against_the_data_sheet_and_against_cublas(self):
        rows = [{"op": "linear", "dtype": dtype, "m": size, "n": size, "k": size, "product": product, "rung": rung,
                 "microseconds": ours, "cublas_microseconds": cublas}
                for dtype, size, product, rung, ours, cublas in [
                    ("float32", 4096, "forward", "01_naive", 41028.5, 2735.2), ("float32", 4096, "forward", "08_warp_tile", 2564.3, 2735.2),
                    ("float32", 1024, "forward", "08_warp_tile", 80, 60), ("tf32", 4096, "dW", "09_mma_sync", 555.3, 499.8)]]
        self.assertEqual(linear_report.ladder_table(rows), [
            "| 4096 x 4096 x 4096 | float32 forward | tf32 dW |", "|---|---|---|", "| 01_naive | 0.050 | - |",
            "| 08_warp_tile | 0.800 | - |", "| 09_mma_sync | - | 0.500 |", "| cublas | 0.750 | 0.556 |"])
        self.assertEqual(linear_report.means(rows)[0], "* forward float32, geometric mean of 2 shapes: 0.89 times cuBLAS; the "
                         "least 0.75, 1024 x 1024 x 1024.")
        self.assertEqual([line.split(" | ")[3:5] for line in linear_report.best_table(rows)[2:]],
                         [["08_warp_tile", "2564.3"], ["08_warp_tile", "80.0"], ["09_mma_sync", "555.3"]])

    def test_linear_has_goals(self):
        def of(dtype, product, rung, ours, cublas):
            return {"dtype": dtype, "m": 8, "n": 8, "k": 8, "product": product, "rung": rung, "microseconds": ours,
                    "cublas_microseconds": cublas}

        rows = [of("bfloat16", "forward", "13_tma_store", 100, 104), of("bfloat16", "dX", "13_tma_store", 100, 97),
                of("tf32", "dW", "13_tma_store", 100, 109), of("float32", "dW", "08_warp_tile", 100, 90),
                of("float32", "dW", "14_3xtf32", 50, 100)]
        errors = [{"dtype": "float32", "product": "dW", "rung": rung, "error": error, "shapes": 3}
                  for rung, error in [("14_3xtf32", 3e-7), ("cublas", 1e-7)]]
        cells = [line.strip("| ").split(" | ") for line in linear_report.goals(rows, errors)[2:]]
        self.assertEqual([(c[0], c[1], c[2], c[-1]) for c in cells], [
            ("bfloat16: mean >= 1.0, least >= 0.95", "1.004", "0.970", "met"),
            ("tf32: mean >= 1.0, least >= 0.95", "1.090", "1.090", "met"),
            ("tf32 dW: mean >= 1.1", "1.090", "1.090", "**missed**"),
            ("08_warp_tile: mean >= 1.0", "0.900", "0.900", "**missed**"),
            ("14_3xtf32: mean >= 2.0", "2.000", "2.000", "met"),
            ("error of 14_3xtf32, dW: within 2 of SGEMM's", "3.00", "-", "**missed**")])

    def test_the_roofline_marks_each_call_where_it_belongs(self):
        x, y = roofline.place(1, 1)
        self.assertEqual((x, y), (roofline.LEFT, roofline.TOP + roofline.HEIGHT))
        linear = [{"dtype": "bfloat16", "m": 1000, "n": 1000, "k": 1000, "product": "forward", "rung": "13_tma_store",
                   "microseconds": 4.0, "cublas_microseconds": 5.0}]
        (_, intensity, theirs, _), (_, _, ours, _) = roofline.points({"linear": linear})
        self.assertAlmostEqual(intensity, 1000 / 3)
        self.assertAlmostEqual((ours, theirs), (500, 400))

    def test_the_head_is_held_to_its_goals(self):
        def head(kind, dtype, ours, **others):
            return {"kind": kind, "dtype": dtype, "rows": 8, "rung": "03_wgmma", "us": {"ours": ours, "eager": 90.0} | others}

        rows = [head("forward", "bfloat16", 25.0) | {"floor_us": 20.0}, head("backward", "bfloat16", 40.0) | {"floor_us": 20.0},
                head("loss", "tf32", 30.0, compile=60.0), head("loss", "float32", 30.0)]
        self.assertEqual([line.split(" | ")[-1].rstrip(" |") for line in lm_head_report.table(rows)[2:]],
                         ["0.80 of the floor (0.8, met); 3.0 times compile: not measured", "2.25 times eager (3.0, **missed**)", "2.00 times compile (2.0, met)", "-"])

    def test_only_what_is_between_the_marks_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "README.md")
            page.write_text("before\n<!-- measured: bench/cuda_report.py -->\nold\n<!-- end -->\nafter\n")
            cuda_report.fill(page, "new")
            self.assertEqual(page.read_text(), "before\n<!-- measured: bench/cuda_report.py -->\nnew\n<!-- end -->\nafter\n")
            page.write_text("no marks\n")
            with self.assertRaises(SystemExit):
                cuda_report.fill(page, "new")


if __name__ == "__main__":
    unittest.main()
