export const messages = {
  title: 'explorer',
  open: 'Open the explorer',
  description: 'It shows the entities and claims that an API key of this oracle may read.',
  key: 'API key',
  submit: 'Open',
  unknown: 'This oracle does not know that key. Check that all of it was copied.',
  ended: 'The key is no longer valid. Enter the new one.',
  hint: 'A devnet shows its key at its first start and stores it in devnet.json. Other oracles list theirs in ENTITIES_API_KEYS. The key stays in this tab and is sent only to this oracle.',
  menu: 'Settings',
  forget: 'Forget the key',
} as const
