"""The worker that reads documents, with one second of processor time for each instead of five."""

from quaestor.tools.reading.worker import WorkerLimits, serve

if __name__ == "__main__":
    serve(WorkerLimits(cpu_seconds=1))
