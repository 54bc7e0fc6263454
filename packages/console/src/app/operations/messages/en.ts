export const messages = { title: 'operations' } as const
