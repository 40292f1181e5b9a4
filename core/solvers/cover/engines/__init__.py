"""The engines that solve one component of a cover problem."""
