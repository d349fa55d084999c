/** Hears of conversations that appear, so that presence and typing know the contacts. */
export type OnOpened = (userId: string, peerId: string) => void

/** The check that every typed message has to pass before it is stored, in the order they came. */
export interface Gate {
  /** Sends a message that nothing speaks against. Throws `rate_limited`, `validation_failed`. */
  pass<T>(
    attempt: { senderId: string; receiverId: string; id: string; body: string },
    send: () => Promise<T>,
  ): Promise<T>
}

/** Changes in what live connections publish between two people. */
export interface HoldingHooks {
  /** The receiver hears nothing of the sender from the first message on, who does not know. */
  onHeld(senderId: string, receiverId: string): void
  /** What reaches others of what the sender does is different from now on. */
  onSettled(senderId: string): Promise<void>
}
