"""What a value of the pseudo-pyramid metric rests on."""
