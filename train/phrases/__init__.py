"""What people ask, and what is right to do: one module a task. Each has `talk(r, today)`."""
