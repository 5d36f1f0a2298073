"""The reconciler: fold, drive, budget, lease. It knows no workflow."""
