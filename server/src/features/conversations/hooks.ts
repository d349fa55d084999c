/** Called when a conversation appears, so that presence and typing know the new contact. */
export type OnOpened = (userId: string, peerId: string) => void

/** The check that every typed message has to pass before it is stored, in order of arrival. */
export interface Gate {
  /** Calls `send` if nothing speaks against the message. Throws `rate_limited`, `validation_failed`. */
  pass<T>(
    attempt: { senderId: string; receiverId: string; id: string; body: string },
    send: () => Promise<T>,
  ): Promise<T>
}

/** Called when live connections must publish less, or more, of a sender. */
export interface HoldingHooks {
  /** The receiver gets no events of the sender, who doesn't know. */
  onHeld(senderId: string, receiverId: string): void
  /** What others may see of the sender has changed. */
  onSettled(senderId: string): Promise<void>
}
