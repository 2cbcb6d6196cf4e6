"""How the translator came to be: a grammar that makes its sentences, and the training itself."""
