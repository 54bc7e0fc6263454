/** The price of a unit of gas: an amount of the smallest unit of a coin. */
export interface GasPrice {
  /** In billionths, so that sums are exact. */
  readonly billionths: bigint
  readonly denom: string
}

/**
 * Parses a price such as `0.025uixo`.
 *
 * @throws TypeError when it is invalid
 */
export const parseGasPrice = (text: string): GasPrice => {
  const [, whole = '', part = '', denom] = /^(\d{1,9})(?:\.(\d{1,9}))?([a-zA-Z][a-zA-Z0-9/]{2,127})$/.exec(text) ?? []
  if (denom === undefined) throw new TypeError('The gas price is not an amount with a coin, such as 0.025uixo.')
  return { billionths: BigInt(whole + part.padEnd(9, '0')), denom }
}

/** The fee for an amount of gas, rounded up. */
export const feeFor = (gas: number, { billionths, denom }: GasPrice): { amount: string; denom: string } => ({
  amount: ((BigInt(gas) * billionths + 999_999_999n) / 1_000_000_000n).toString(),
  denom,
})
