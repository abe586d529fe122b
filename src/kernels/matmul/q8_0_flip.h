#ifndef HEED_KERNELS_Q8_0_FLIP_H
#define HEED_KERNELS_Q8_0_FLIP_H

#include "kernels/kernels.h"
#include "kernels/lanes.h"

/* A mask from codes of a panel to second operands.  0x80 gives code + 128, for engines that read them as unsigned.  0
 * gives the code.  Panels hold even columns with their sign bit flipped. */
#define Q8_0_FLIP(by) wasm_i16x8_splat((int16_t)(HEED_FLIP_Q8_0 ^ (by)*0x101))

#endif
