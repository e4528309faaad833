"""The workbench: jobs, data and pages."""
