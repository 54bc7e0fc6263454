import type { Translation } from '../../i18n/translation.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  title: 'explorateur',
  open: 'Ouvrir l’explorateur',
  description: 'Il montre les entités et les déclarations qu’une clé d’API de cet oracle peut lire.',
  key: 'Clé d’API',
  submit: 'Ouvrir',
  unknown: 'Cet oracle ne connaît pas cette clé. Vérifiez qu’elle a été copiée en entier.',
  ended: 'La clé n’est plus valable. Saisissez la nouvelle.',
  hint: 'Un devnet montre sa clé à son premier démarrage et la garde dans devnet.json. Les autres oracles énumèrent les leurs dans ENTITIES_API_KEYS. La clé reste dans cet onglet et n’est envoyée qu’à cet oracle.',
  menu: 'Réglages',
  forget: 'Oublier la clé',
}
