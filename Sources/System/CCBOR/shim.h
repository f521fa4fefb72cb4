#include <cbor/encoding.h>
#include <cbor/streaming.h>
