// What glibc has and declares only for GNU sources, or nowhere.
#include <linux/capability.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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
// __O_TMPFILE of asm-generic/fcntl.h, RENAME_NOREPLACE of linux/fs.h.
enum { BLECAP_O_TMPFILE = 020000000, BLECAP_RENAME_NOREPLACE = 1 };
extern int renameat2(int folder, const char *path, int other_folder, const char *other, unsigned int flags);

// struct sockaddr_hci of the kernel (net/bluetooth/hci_sock.h); libbluetooth has it too, under the GPL.
struct blecap_sockaddr_hci {
    uint16_t family;
    uint16_t device;
    uint16_t channel;
};
enum { BLECAP_AF_BLUETOOTH = 31, BLECAP_BTPROTO_HCI = 1, BLECAP_HCI_CHANNEL_USER = 1 };

// A pseudo-terminal, of stdlib.h.
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *name, size_t size);

// The kernel's event structure holds a union, which Swift can't name safely.
struct blecap_ready {
    int descriptor;
    uint32_t events;
};

static inline int blecap_epoll_control(int poll, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(poll, operation, descriptor, &event);
}

// Fills at most 32 structures and returns how many; less than zero for an error.
static inline int blecap_epoll_wait(int poll, struct blecap_ready *ready, int milliseconds) {
    struct epoll_event events[32];
    int count = epoll_wait(poll, events, 32, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index].descriptor = events[index].data.fd;
        ready[index].events = events[index].events;
    }
    return count;
}
