"""Measurements of what sleep concludes: relations, real histories, scale."""
