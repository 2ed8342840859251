"""cuda_profile.py on ncu's output made up by hand: the table takes a metric from its own section, and a dash where there is none."""
import unittest

import cuda_profile

OUTPUT = '''==PROF== Disconnected from process 7
"ID","Process ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description"
"0","7","softmax(float *, int)","GPU Speed Of Light Throughput","DRAM Throughput","%","91.2","","",""
"0","7","softmax(float *, int)","Memory Workload Analysis","DRAM Throughput","%","7","","",""
"0","7","softmax(float *, int)","Occupancy","Achieved Occupancy","%","50","","",""
"0","7","softmax(float *, int)","SpeedOfLight","","","","SOLBottleneck","OPT","Memory is used most."
"0","7","softmax(float *, int)","SpeedOfLight","","","","Other","INF","Not advice."
'''


class CudaProfileTest(unittest.TestCase):
    def test_table(self):
        lines = cuda_profile.markdown([("softmax a", cuda_profile.parse(OUTPUT))]).splitlines()
        self.assertEqual(lines[0], "| | softmax a |")
        self.assertIn("| DRAM | 91.2 % |", lines)
        self.assertIn("| occupancy | 50 % |", lines)
        self.assertIn("| registers | - |", lines)
        self.assertEqual(lines[-2:], ["**softmax a**: `softmax(float *, int)`", "* Memory is used most."])


if __name__ == "__main__":
    unittest.main()
