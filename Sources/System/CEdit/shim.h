#include <stdio.h>
#include <editline/readline.h>

// A variable of the library, which Swift would take for one that several threads change.
static inline void blecap_complete_by(rl_completion_func_t *function) {
    rl_attempted_completion_function = function;
}
