#include "kernels/set.h"

const heed_kernels heed_kernels_scalar = HEED_KERNEL_TABLE(scalar);
