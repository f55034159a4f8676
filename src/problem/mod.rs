//! Data sets, losses, regularisers and their constants.
