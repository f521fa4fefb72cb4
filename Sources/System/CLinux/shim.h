// What glibc has and declares only for GNU sources, or nowhere.
#include <linux/capability.h>
#include <spawn.h>
#include <sys/ioctl.h>

extern int memfd_create(const char *name, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int capset(cap_user_header_t header, const cap_user_data_t data);

// Swift imports no function with a variable number of arguments. 0 where the descriptor is a terminal.
static inline int blecap_terminal_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

// POSIX_SPAWN_SETSID of spawn.h, MFD_CLOEXEC of linux/memfd.h.
enum { BLECAP_SPAWN_SETSID = 0x80, BLECAP_MEMFD_CLOEXEC = 1 };
