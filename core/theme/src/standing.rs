//! What each role stands on, and the contrast it must have there.
//! The table of `theme-tokens`: a reference page is made from the same rows.

use screen::{Role, RoleKind};

use crate::color::Ratio;

/// The contrast that a role of this kind needs on each of its surfaces.
pub(crate) fn ratio(kind: RoleKind) -> Option<Ratio> {
    match kind {
        RoleKind::Text => Some(Ratio(450)),
        RoleKind::Line => Some(Ratio(300)),
        RoleKind::Surface | RoleKind::Lift => None,
    }
}

/// The surfaces a text or line role is painted on; the background is the canvas.
pub(crate) fn stands_on(role: Role) -> &'static [Role] {
    use Role::*;
    match role {
        Background | SelectedBg | UserMessageBg | CustomMessageBg | ToolPanelBg | ToolPendingBg | ToolSuccessBg
        | ToolErrorBg | ToolDiffAddedBg | ToolDiffRemovedBg | LiftLight | LiftDark => &[],
        Foreground | ContextHigh | ThinkingText | MdBody | MdHeading | MdLink | MdLinkUrl | MdListBullet | MdQuote
        | MdCode | MdCodeBlock | Border | BorderAccent | BorderMuted | MdCodeBlockBorder | MdQuoteBorder | MdHr => {
            &[Background]
        }
        Text | Accent | EffortLow | EffortHigh => &[Background, SelectedBg],
        Muted => &[Background, SelectedBg, ToolPanelBg],
        Dim => &[Background, UserMessageBg],
        Success => &[Background, ToolSuccessBg],
        Warning => &[Background, ToolPendingBg],
        Error => &[Background, ToolErrorBg],
        UserMessageText => &[UserMessageBg],
        CustomMessageText | CustomMessageLabel | RefinementHeader | RefinementSummary => &[CustomMessageBg],
        ToolTitle => &[ToolPendingBg, ToolSuccessBg, ToolErrorBg, ToolPanelBg],
        ToolOutput | ToolDiffContext => &[ToolPanelBg],
        BashMode => &[UserMessageBg, ToolPanelBg, ToolPendingBg],
        ToolDiffAdded => &[ToolDiffAddedBg],
        ToolDiffRemoved => &[ToolDiffRemovedBg],
        ToolDiffText => &[ToolDiffAddedBg, ToolDiffRemovedBg],
        SyntaxComment | SyntaxKeyword | SyntaxFunction | SyntaxVariable | SyntaxString | SyntaxNumber | SyntaxType
        | SyntaxOperator | SyntaxPunctuation => &[Background, ToolPanelBg],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Mode, Rgb, Theme};

    fn shipped() -> [Theme; 2] {
        [Mode::Dark, Mode::Light].map(Theme::built_in)
    }

    fn mapped(color: Rgb) -> Rgb {
        Rgb::of_index(color.nearest_index())
    }

    /// Every pair of a role and its surface that is under its ratio once `depth` has been applied to both.
    fn faults(theme: &Theme, depth: fn(Rgb) -> Rgb) -> Vec<(Role, Role)> {
        let mut faults = Vec::new();
        for role in Role::ALL {
            let Some(ratio) = ratio(role.kind()) else { continue };
            for surface in stands_on(*role) {
                if !depth(theme.measured(*role)).holds(ratio, depth(theme.measured(*surface))) {
                    faults.push((*role, *surface));
                }
            }
        }
        faults
    }

    /// Exhausted: every text and line token on each of its surfaces, in both shipped themes.
    #[test]
    fn theme_text_contrast() {
        for theme in shipped() {
            assert_eq!(faults(&theme, |color| color), [], "{}", theme.name);
        }
    }

    #[test]
    fn contrast_holds_after_mapping_to_256_colors() {
        for theme in shipped() {
            assert_eq!(faults(&theme, mapped), [], "{}", theme.name);
        }
    }

    /// Exhausted: the four colors of both shipped themes.
    #[test]
    fn theme_status_distinct() {
        for theme in shipped() {
            let tones = [Role::Accent, Role::Success, Role::Warning, Role::Error];
            let indexes: BTreeSet<u8> = tones.iter().map(|role| theme.measured(*role).nearest_index()).collect();
            assert_eq!(indexes.len(), tones.len(), "{}", theme.name);
        }
    }

    /// Exhausted: every ladder of up to seven levels, off, minimal, low, medium, high, xhigh and max.
    #[test]
    fn the_rungs_of_every_ladder_have_different_colors() {
        for theme in shipped() {
            let (low, high) = (theme.measured(Role::EffortLow), theme.measured(Role::EffortHigh));
            let ends = [(low.red, high.red), (low.green, high.green), (low.blue, high.blue)];
            for n in 1..=7 {
                let color = |k| ends.map(|(low, high)| laws::ramp::rung(low.into(), high.into(), k, n));
                let colors: BTreeSet<[u64; 3]> = (1..=n).map(color).collect();
                assert_eq!(colors.len() as u64, n, "{}", theme.name);
            }
        }
    }

    #[test]
    fn the_selection_band_is_seen_on_the_canvas() {
        for theme in shipped() {
            let (band, canvas) = (theme.measured(Role::SelectedBg), theme.measured(Role::Background));
            assert!(band.holds(Ratio(115), canvas), "{}", theme.name);
        }
    }
}
