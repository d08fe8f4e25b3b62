"""What examine.py is made of."""
