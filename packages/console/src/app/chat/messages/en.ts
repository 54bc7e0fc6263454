export const messages = { title: 'chat' } as const
