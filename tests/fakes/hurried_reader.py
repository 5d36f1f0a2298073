"""The worker that reads documents, with one second of processor time for each instead of five."""

from quaestor.tools.reading import worker

if __name__ == "__main__":
    worker.CPU_SECONDS = 1
    worker.main()
