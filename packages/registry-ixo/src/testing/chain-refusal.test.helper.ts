/** Why the chain of the tests refuses something, as a chain of the Cosmos SDK says it. */
export class Refusal extends Error {
  readonly codespace: string
  readonly code: number

  constructor(codespace: string, code: number, log: string) {
    super(log)
    this.codespace = codespace
    this.code = code
  }
}

/** Codes of the Cosmos SDK. */
export const unauthorized = (log: string) => new Refusal('sdk', 4, `${log}: unauthorized`)
export const insufficientFunds = (log: string) => new Refusal('sdk', 5, `${log}: insufficient funds`)
export const unknownRequest = (log: string) => new Refusal('sdk', 6, `${log}: unknown request`)
export const unknownAddress = (log: string) => new Refusal('sdk', 9, `${log}: unknown address`)
export const outOfGas = (log: string) => new Refusal('sdk', 11, `${log}: out of gas`)
export const insufficientFee = (log: string) => new Refusal('sdk', 13, `${log}: insufficient fee`)
export const invalidRequest = (log: string) => new Refusal('sdk', 18, `${log}: invalid request`)
export const keyNotFound = (log: string) =>
  new Refusal('sdk', 22, `rpc error: code = NotFound desc = ${log}: key not found`)
export const wrongSequence = (log: string) => new Refusal('sdk', 32, `${log}: incorrect account sequence`)
export const invalidInput = (log: string) => new Refusal('iid', 1110, `${log}: input is invalid`)
