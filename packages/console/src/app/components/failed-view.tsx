import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
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
  useReloadWhenReachable(error instanceof ViewNotLoaded)
  return (
    <Group role="alert">
      <Text>{error instanceof ViewNotLoaded ? t('state.notLoaded') : `${t('state.failed')}: ${String(error)}`}</Text>
      <Button size="xs" onClick={() => location.reload()}>
        {t('state.reload')}
      </Button>
    </Group>
  )
}

const retryMs = 3_000

/** Loads the page again once the oracle responds, if it did not before. */
const useReloadWhenReachable = (isWanted: boolean) => {
  useEffect(() => {
    if (!isWanted) return undefined
    let wasUnreachable = false
    const check = async () => {
      const isReachable = await fetch(location.href, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isReachable && wasUnreachable) location.reload()
      wasUnreachable ||= !isReachable
    }
    void check()
    const timer = setInterval(() => void check(), retryMs)
    return () => clearInterval(timer)
  }, [isWanted])
}
