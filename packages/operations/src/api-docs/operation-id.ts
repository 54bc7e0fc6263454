/**
 * Returns the id of an operation, derived from its method and path.
 *
 * @param taken The ids in use; the new one is added.
 * @example operationId('get', '/chat/{id}/stream', new Set()) // 'getChatByIdStream'
 */
export const operationId = (method: string, path: string, taken: Set<string>): string => {
  const words = path
    .split('/')
    .flatMap(segment => (segment.startsWith('{') ? ['by', segment] : [segment]))
    .flatMap(segment => segment.split(/[^A-Za-z0-9]+/))
    .filter(word => word !== '')
  const plain = method + (words.length === 0 ? 'Root' : words.map(capital).join(''))
  let name = plain
  for (let count = 2; taken.has(name); count += 1) name = `${plain}${count}`
  taken.add(name)
  return name
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
