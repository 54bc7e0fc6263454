/**
 * The header that carries a token.
 *
 * @throws TypeError when the text cannot be one; it is not repeated, since it may be a secret all the same
 */
export const bearerHeader = (token: string): { authorization: string } => {
  if (!/^[\w.~+/=-]+$/.test(token)) {
    throw new TypeError('The token for the oracle is empty, or has invalid characters, such as a line break.')
  }
  return { authorization: `Bearer ${token}` }
}
