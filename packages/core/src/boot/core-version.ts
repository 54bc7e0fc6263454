/** The version of core, which plugins name in their `core` range; the same as the package's. */
export const coreVersion = '0.1.0'
