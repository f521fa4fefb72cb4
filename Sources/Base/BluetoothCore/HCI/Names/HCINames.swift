/// The names of coded values and bits in HCI parameters; nil for what is not assigned.
public enum HCINames {}
