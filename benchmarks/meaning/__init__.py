"""What finding by words and by meaning costs, and how exact it stays, as one store grows."""
