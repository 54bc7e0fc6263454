import type { CommandIo } from '../process/command-io.ts'
import { requestOperator } from './request-operator.ts'

const pageSize = 1000

/**
 * Reads a whole list as the operator, in pages of which each is after the last ID of the one before.
 *
 * @param read Returns the items of a response.
 * @throws `configuration_invalid` without a token, NetworkError, ProblemError
 */
export const listAsOperator = async <Item extends { readonly id: string }>(
  path: string,
  read: (content: unknown) => readonly Item[],
  options: { readonly url?: string },
  io: CommandIo,
): Promise<Item[]> => {
  const all: Item[] = []
  for (let after = ''; ; ) {
    const query = `limit=${pageSize}${after === '' ? '' : `&after=${after}`}`
    const items = read(await requestOperator({ method: 'GET', path: `${path}?${query}` }, options, io))
    all.push(...items)
    const last = items.at(-1)
    if (items.length < pageSize || !last) return all
    after = last.id
  }
}
