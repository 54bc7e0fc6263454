import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A view whose script could not be loaded: the oracle does not respond, or it has another console. */
export class ViewNotLoaded extends Error {
  override readonly name = 'ViewNotLoaded'
}

/** Waits for the script of a view. Throws `ViewNotLoaded`. */
export const loadView = <Views,>(load: () => Promise<Views>): Promise<Views> =>
  load().catch((cause: unknown) => {
    throw new ViewNotLoaded('The script of the view could not be loaded.', { cause })
  })

/** Shown when a view failed. */
export const FailedView = ({ error }: { readonly error: unknown }) => {
  const { t } = useTranslation()
  return (
    <Group role="alert">
      <Text>{error instanceof ViewNotLoaded ? t('state.notLoaded') : `${t('state.failed')}: ${String(error)}`}</Text>
      <Button size="xs" onClick={() => location.reload()}>
        {t('state.reload')}
      </Button>
    </Group>
  )
}
