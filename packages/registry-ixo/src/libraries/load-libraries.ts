/** The libraries that know the chain's messages. They take most of a second to load. */
export interface ChainLibraries {
  /** The messages of the chain and of Cosmos, and their encoding. */
  readonly sdk: typeof import('@ixo/impactxclient-sdk')
  /** Accounts and signatures. */
  readonly signing: typeof import('@cosmjs/proto-signing')
}

/** Loads the libraries, where they are needed first. */
export const loadLibraries = async (): Promise<ChainLibraries> => {
  const [sdk, signing] = await Promise.all([import('@ixo/impactxclient-sdk'), import('@cosmjs/proto-signing')])
  return { sdk, signing }
}
