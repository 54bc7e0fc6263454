/**
 * What a type is compared by: without regard to case and hyphens, with or without the suffix `Entity`.
 *
 * @example
 * typeKey('OracleEntity') === typeKey('oracle') // true
 */
export const typeKey = (type: string): string => {
  const plain = type.toLowerCase().replaceAll(/[-_]/g, '')
  return plain.endsWith('entity') && plain !== 'entity' ? plain.slice(0, -'entity'.length) : plain
}
