#!/usr/bin/env python3
"""A scorer for bi_test: one JSON object per line in, one per line out.

The answer is the last number of the completion, and it is right when it is the expected one. Use it
as it is, or replace `answer_of` and `score_of`; docs/scorers.md has the protocol.
"""
import json
import re
import sys

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def answer_of(response):
    """What decides whether two completions are the same answer, or None for the whole text."""
    numbers = NUMBER.findall(response.replace(",", ""))
    return numbers[-1] if numbers else None


def score_of(answer, expected):
    """From 0 to 1."""
    if answer is None:
        return 0.0
    try:
        return 1.0 if float(answer) == float(expected) else 0.0
    except (TypeError, ValueError):
        return 0.0


def main():
    for line in sys.stdin:
        question = json.loads(line)
        answer = answer_of(question["response"])
        reply = {
            "id": question["id"],
            "score": score_of(answer, question["expected_answer"]),
            "extracted_answer": answer,
        }
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
