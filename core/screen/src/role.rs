//! Roles: what a piece of text or a surface means. A theme gives each one its color.

macro_rules! roles {
    ($($role:ident $token:literal $kind:ident;)+) => {
        /// One token of a theme; `docs/reference` tells where each is painted.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Role {
            $($role,)+
        }

        impl Role {
            /// Every role, in the order of the table.
            pub const ALL: &'static [Role] = &[$(Role::$role,)+];

            /// The name a theme file has for it.
            pub fn token(self) -> &'static str {
                match self {
                    $(Role::$role => $token,)+
                }
            }

            pub fn kind(self) -> RoleKind {
                match self {
                    $(Role::$role => RoleKind::$kind,)+
                }
            }
        }
    };
}

/// How a role is used, and so which contrast it must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoleKind {
    /// Carries text.
    Surface,
    /// At least 4.5:1 on every surface it stands on.
    Text,
    /// At least 3:1 on every surface it stands on.
    Line,
    /// A color that others move toward; never painted itself.
    Lift,
}

roles! {
    Background "background" Surface;
    SelectedBg "selectedBg" Surface;
    UserMessageBg "userMessageBg" Surface;
    CustomMessageBg "customMessageBg" Surface;
    ToolPanelBg "toolPanelBg" Surface;
    ToolPendingBg "toolPendingBg" Surface;
    ToolSuccessBg "toolSuccessBg" Surface;
    ToolErrorBg "toolErrorBg" Surface;
    ToolDiffAddedBg "toolDiffAddedBg" Surface;
    ToolDiffRemovedBg "toolDiffRemovedBg" Surface;
    Foreground "foreground" Text;
    Text "text" Text;
    Muted "muted" Text;
    Dim "dim" Text;
    Accent "accent" Text;
    Success "success" Text;
    Warning "warning" Text;
    Error "error" Text;
    ContextHigh "contextHigh" Text;
    ThinkingText "thinkingText" Text;
    UserMessageText "userMessageText" Text;
    CustomMessageText "customMessageText" Text;
    CustomMessageLabel "customMessageLabel" Text;
    RefinementHeader "refinementHeader" Text;
    RefinementSummary "refinementSummary" Text;
    ToolTitle "toolTitle" Text;
    ToolOutput "toolOutput" Text;
    BashMode "bashMode" Text;
    MdBody "mdBody" Text;
    MdHeading "mdHeading" Text;
    MdLink "mdLink" Text;
    MdLinkUrl "mdLinkUrl" Text;
    MdListBullet "mdListBullet" Text;
    MdQuote "mdQuote" Text;
    MdCode "mdCode" Text;
    MdCodeBlock "mdCodeBlock" Text;
    ToolDiffAdded "toolDiffAdded" Text;
    ToolDiffRemoved "toolDiffRemoved" Text;
    ToolDiffText "toolDiffText" Text;
    ToolDiffContext "toolDiffContext" Text;
    SyntaxComment "syntaxComment" Text;
    SyntaxKeyword "syntaxKeyword" Text;
    SyntaxFunction "syntaxFunction" Text;
    SyntaxVariable "syntaxVariable" Text;
    SyntaxString "syntaxString" Text;
    SyntaxNumber "syntaxNumber" Text;
    SyntaxType "syntaxType" Text;
    SyntaxOperator "syntaxOperator" Text;
    SyntaxPunctuation "syntaxPunctuation" Text;
    Border "border" Line;
    BorderAccent "borderAccent" Line;
    BorderMuted "borderMuted" Line;
    MdCodeBlockBorder "mdCodeBlockBorder" Line;
    MdQuoteBorder "mdQuoteBorder" Line;
    MdHr "mdHr" Line;
    EffortLow "effortLow" Line;
    EffortHigh "effortHigh" Line;
    LiftLight "liftLight" Lift;
    LiftDark "liftDark" Lift;
}

impl Role {
    /// How many roles there are.
    pub const COUNT: usize = Role::ALL.len();

    /// The place of this role in a table by role.
    pub fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_59_tokens_with_distinct_names() {
        let names: std::collections::BTreeSet<_> = Role::ALL.iter().map(|role| role.token()).collect();
        assert_eq!((Role::COUNT, names.len()), (59, 59));
    }
}
