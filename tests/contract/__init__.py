"""What every game owes the rest of the house, whoever wrote it. The suite finds the games by itself."""
