/** A node of the ESTree syntax tree, with TypeScript's own kinds. */
export interface SyntaxNode {
  readonly type: string
  /** Offset of its first character. */
  readonly start: number
  readonly [member: string]: unknown
}

/** Calls back with a node and every node below it, in the order of the text. */
export const visitNodes = (node: SyntaxNode, visit: (node: SyntaxNode) => void): void => {
  visit(node)
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) if (isNode(child)) visitNodes(child, visit)
  }
}

/** The line of an offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
