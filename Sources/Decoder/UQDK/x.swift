// The room's first source replaces this line.
