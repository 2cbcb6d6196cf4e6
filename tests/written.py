"""Numbers as the site writes them, read back."""

PLAIN = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789", ",\u202f")
NUMBER = r"−?\d(?:[\d,.]*\d)?(?:\u202f?×\u202f?10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def number(text: str) -> float:
    return float(text.translate(PLAIN).replace("×10", "e"))
