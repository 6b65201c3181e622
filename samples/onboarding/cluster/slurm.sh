#!/bin/sh
# Slurm: one array task per shard, one GPU each. After the build:
#   sbatch --wait cluster/slurm.sh
#   bi-test report shard-*/ --out merged --sweep cells.yaml
#SBATCH --job-name=batch-invariance
#SBATCH --array=0-1
#SBATCH --gres=gpu:1
#SBATCH --time=02:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --output=slurm-%A_%a.log
set -eu
cd "${SLURM_SUBMIT_DIR:?run this with sbatch}"
# Slurm sets CUDA_VISIBLE_DEVICES for the task, and the server inherits it. On SIGTERM, two minutes before
# the limit, the program stops its server and writes down what it has: it has to be this very process.
export GTEST_TOTAL_SHARDS="$SLURM_ARRAY_TASK_COUNT" GTEST_SHARD_INDEX="$SLURM_ARRAY_TASK_ID"
exec build/onboarding --bi_test_sweep=cells.yaml --bi_test_out_dir="shard-$SLURM_ARRAY_TASK_ID"
