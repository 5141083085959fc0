//! The common part of [`Items`](super::Items) and [`Pages`](super::Pages).

/// Implements the methods and traits of a stream, given its `poll_one`, `clear` and `at_page_end`.
macro_rules! list_stream {
    ($listing:ident of $item:ty, $what:literal) => {
        impl<T: DeserializeOwned + Send + 'static> $listing<T> {
            /// Continues where another stream of the same list created the checkpoint.
            ///
            /// Items that were returned are not returned again. If the checkpoint was created in the middle of a page,
            /// that page is requested again and the items at its start are skipped. If items of that page were added or
            /// removed in the meantime, the same number of items can be returned twice or missed. A checkpoint between
            /// two pages, as [`pages`](crate::ListExt::pages) gives, avoids this.
            ///
            /// # Errors
            ///
            /// [`Usage`](crate::ErrorKind::Usage) if the checkpoint belongs to another operation or to other
            /// filters, or has a format that this release does not read.
            pub fn resume(mut self, checkpoint: &Checkpoint) -> Result<Self, Error> {
                self.clear();
                self.pager.resume(checkpoint)?;
                Ok(self)
            }

            /// Requests a page only when it is needed, instead of while you process the page before it.
            ///
            /// The stream then never requests a page that is not used.
            pub fn without_read_ahead(mut self) -> Self {
                self.pager.reads_ahead = false;
                self
            }

            #[doc = concat!("Returns the next ", $what, "; `None` after the last one.")]
            ///
            /// # Errors
            ///
            /// The errors of the [call](crate::Call::call) that requests the page. Also
            /// [`Pagination`](crate::ErrorKind::Pagination) if the page before it has `more` and either no
            /// next cursor or one that was used before; all items up to there were returned.
            pub async fn try_next(&mut self) -> Result<Option<$item>, Error> {
                std::future::poll_fn(|cx| self.poll_one(cx))
                    .await
                    .transpose()
            }

            #[doc = concat!("Collects every remaining ", $what, " into a `Vec`.")]
            ///
            /// # Errors
            ///
            /// The errors of [`try_next`](Self::try_next). The items received before the error are lost, so prefer
            /// `try_next` for long lists.
            pub async fn collect_all(self) -> Result<Vec<$item>, Error> {
                // No work happens between two pages, so reading ahead would not save time.
                let mut listing = self.without_read_ahead();
                let mut all = Vec::new();
                while let Some(one) = listing.try_next().await? {
                    all.push(one);
                }
                Ok(all)
            }

            /// The number of items that the list has returned so far, compared with its `number_found`.
            #[must_use]
            pub fn summary(&self) -> ListSummary {
                let mut summary = self.pager.summary.clone();
                summary.finished &= self.at_page_end();
                summary
            }
        }

        // What is polled is boxed, so nothing is pinned inside.
        impl<T> Unpin for $listing<T> {}

        impl<T: DeserializeOwned + Send + 'static> Stream for $listing<T> {
            type Item = Result<$item, Error>;

            fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
                self.get_mut().poll_one(cx)
            }
        }

        impl<T> fmt::Debug for $listing<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($listing))
                    .field("summary", &self.pager.summary)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(super) use list_stream;
